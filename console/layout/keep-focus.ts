/**
 * When the element with the focus goes, such as a button that has done its work, its card takes the focus, or the heading
 * of the page if the card has gone too. Of a dialog, the button that opened it counts.
 */
export function keepFocus(): () => void {
  let last: Element | undefined;
  let card: HTMLElement | null = null;
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target.closest('[role=dialog]')) return;
    last = target;
    card = target.closest('section');
  };
  // After a click beside it, nothing has the focus that could be lost.
  const forget = ({ target }: PointerEvent) => {
    if (!(target instanceof Element) || target.closest('[role=dialog]')) return;
    if (!last?.contains(target)) last = undefined;
  };
  const observer = new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    const next = card?.isConnected ? card : document.querySelector('h1');
    next?.setAttribute('tabindex', '-1');
    next?.focus({ preventScroll: true });
  });
  document.addEventListener('pointerdown', forget);
  document.addEventListener('focusin', remember);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('pointerdown', forget);
    document.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}
