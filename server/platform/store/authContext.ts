/** A user and one of their sessions. */
export interface SessionContext {
  readonly userId: string;
  readonly sessionId: string;
}

/** The user, the session and the client that an authenticated request comes from. */
export interface AuthContext extends SessionContext {
  /** Identifies one run of the app, such as a tab; null when the client sent none. */
  readonly clientId: string | null;
}
