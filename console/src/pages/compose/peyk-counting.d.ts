/** The counting of the service, compiled for browsers. The build makes it of `console/counting`. */
declare module "peyk-counting" {
  export default function load(): Promise<unknown>;
  export class Counter {
    constructor(terms: import("../../../counting/src/types.ts").Terms);
    setRecipients(numbers: string[]): import("../../../counting/src/types.ts").Recipient[];
    count(text: string): import("../../../counting/src/types.ts").Count;
  }
}
