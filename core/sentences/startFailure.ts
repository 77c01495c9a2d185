/** Said when the app could not start (SE10). */
export const startFailure = "Failed to initialize application. Please refresh the page.";
