/** Fields of one step of a server's history. */
export const serverPointFields = ['server_id', 'server_name', 'metric', 'at', 'mean', 'min', 'max', 'last'] as const
/** Fields of one point of a monitor's history. */
export const servicePointFields = ['server_id', 'server_name', 'at', 'delay', 'up'] as const
/** Fields of one event. */
export const eventFields = ['id', 'at', 'kind', 'params'] as const
