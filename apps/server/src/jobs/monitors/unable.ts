/** What agents say that could not probe at all: ours and existing ones (agent contract 3.1). Nothing of it is about the service. */
const reasons: readonly RegExp[] = [
  /^ping is not installed/i,
  /^This server has disabled query sending/i,
  // An existing agent without the right to raw sockets.
  /icmp.*socket: (operation not permitted|permission denied)/i,
]

/** True where a reporter says that it cannot probe, which is no result (issue 12.10). */
export const isUnable = ({ ok, data }: { ok: boolean; data: string }): boolean =>
  !ok && reasons.some((reason) => reason.test(data))
