/** An ordinary mail without special features, as sent over SMTP. */
export const plainMail = "From: Shop <orders@shop.example>\r\nSubject: Hello\r\n\r\nHello.\r\n";
