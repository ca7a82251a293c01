import { service } from '@qd/core/resources'

/** A monitored service as a create call has it: what a form starts with, and these values. */
export function serviceBody(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...(service.wire.encode(service.initial) as object), ...values }
}
