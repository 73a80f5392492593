/** A fault that the user can mend: shown without a stack. */
export class Failure extends Error {}

export const say = (text) => console.log(`peyk: ${text}`);

/** Runs a command's main function and turns what goes wrong into a message and an exit status. */
export async function run(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Failure ? `\npeyk: ${error.message}` : error);
    process.exit(1);
  }
}
