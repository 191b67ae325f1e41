import { ApiError } from './api-error.ts';

/** Loads a file of the console. This fails without a connection, or if a new version has replaced the file. */
export async function loadFile<File>(load: () => Promise<File>): Promise<File> {
  try {
    return await load();
  } catch {
    throw new ApiError(0, 'FILE_MISSING', [
      'A file of this page could not be loaded. The connection failed, or a new version of the console was deployed.',
    ]);
  }
}
