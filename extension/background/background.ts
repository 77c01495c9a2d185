import { storedConnection } from "../connection/connection.ts";
import { loadBackgroundPorts } from "../ports.ts";

void loadBackgroundPorts().then(({ ports }) => storedConnection(ports.storage).read());
