/** A mail that there is nothing to say about, as its bytes go over the wire. */
export const plainMail = "From: Shop <orders@shop.example>\r\nSubject: Hello\r\n\r\nHello.\r\n";
