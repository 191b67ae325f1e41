/** Does work during which Ctrl-C first does something else, and then ends the program with 130, as shells expect. */
export async function interruptible<Done>(
  interrupted: () => void | Promise<void>,
  work: () => Promise<Done>,
): Promise<Done> {
  const stop = async () => {
    try {
      await interrupted();
    } finally {
      process.exit(130);
    }
  };
  process.once('SIGINT', stop);
  try {
    return await work();
  } finally {
    process.off('SIGINT', stop);
  }
}
