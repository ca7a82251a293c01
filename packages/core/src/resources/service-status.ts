/** How a monitored service stands, on the results of the last quarter of an hour (contract engines 2.3). */
export const ServiceStatus = { unset: 0, noData: 1, good: 2, low: 3, down: 4 } as const
