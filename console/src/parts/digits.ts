const otherDigits = /[۰-۹٠-٩]/g;

/** A number that was typed with Persian or Arabic digits, with those that the service reads. */
export const latinDigits = (text: string) =>
  text.replace(otherDigits, (digit) => String((digit.codePointAt(0) ?? 0) % 16));
