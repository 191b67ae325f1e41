const reloadedFor = 'reloaded-for';

/**
 * A new version of the console has other files, so that a page of the version before may miss one: it is loaded again,
 * once for each file.
 */
export function reloadOnceForMissingFiles(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const { message } = (event as Event & { payload: Error }).payload;
    if (sessionStorage.getItem(reloadedFor) === message) return;
    sessionStorage.setItem(reloadedFor, message);
    event.preventDefault();
    location.reload();
  });
}
