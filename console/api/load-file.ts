import { ApiError } from './api-error.ts';

/** Loads a file of the console. It may be out of reach, or gone since a new version was deployed. */
export async function loadFile<File>(load: () => Promise<File>): Promise<File> {
  try {
    return await load();
  } catch {
    throw new ApiError(0, 'FILE_MISSING', [
      'A file of this page could not be loaded: the connection failed, or a new version of the console was deployed.',
    ]);
  }
}
