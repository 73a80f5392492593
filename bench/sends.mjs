const variety = 64;

/**
 * Makes different sends. Each has `recipients` different Iranian mobile numbers. `sendAt` schedules the messages.
 */
export function sends(recipients, sendAt) {
  let number = 0;
  const nextNumber = () => {
    // The sandbox does not simply deliver to numbers that end in 901 to 905.
    do number += 1;
    while (number % 1000 >= 901 && number % 1000 <= 905);
    return `0912${String(number).padStart(7, "0")}`;
  };
  return Array.from({ length: variety }, (_, i) => ({
    message: `bench ${i}`,
    recipients: Array.from({ length: recipients }, nextNumber),
    sourceNumber: "10001",
    sendAt,
  }));
}
