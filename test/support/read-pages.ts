/** A feed has a cursor on its last page too, and says that there is no more. */
type Page = { cursor?: string; more?: boolean };

/** Returns all pages of a list. `read` gets the cursor of the page before as a part of its query. */
export async function readPages<P extends Page>(
  read: (next: { cursor?: string }) => Promise<P>,
): Promise<P[]> {
  const pages: P[] = [];
  for (let next: { cursor?: string } = {}; ; ) {
    const page = await read(next);
    pages.push(page);
    if (page.cursor === undefined || page.more === false) return pages;
    next = { cursor: page.cursor };
  }
}
