/** An error that the user can fix. It is shown without a stack. */
export class Failure extends Error {}

export const say = (text) => console.log(`peyk: ${text}`);

/** Runs the main function of a command. Turns an error into a message and an exit status. */
export async function run(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Failure ? `\npeyk: ${error.message}` : error);
    process.exit(1);
  }
}
