import type { OperatorMessages } from "./en.ts";

/** The texts of operators' pages in Persian. */
export const fa: OperatorMessages = {
  groups: { service: "سرویس", customers: "مشتریان", records: "گزارش‌ها", operators: "مدیران" },
  pages: {
    overview: "نمای کلی سرویس",
    carriers: "اپراتورهای مخابراتی",
    lines: "سرشماره‌ها",
    deadLetters: "بازمانده از ارسال",
    sending: "قطع و وصل ارسال",
    accounts: "حساب‌ها",
    plans: "پلن‌ها",
    patterns: "پترن‌های در انتظار تأیید",
    credits: "شارژهای در انتظار تأیید",
    usage: "مصرف",
    audit: "گزارش تغییرات",
    reconciliation: "تطبیق حساب‌ها",
    erasures: "حذف شماره‌ها",
    keys: "کلیدهای مدیران",
  },
  accounts: {
    none: "هنوز حسابی وجود ندارد",
    list: "حساب‌ها",
    username: "نام کاربری",
    fullName: "نام",
    balance: "موجودی",
    state: "وضعیت",
    states: { ACTIVE: "فعال", INACTIVE: "غیرفعال" },
  },
};
