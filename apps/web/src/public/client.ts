import { createClient } from '@qd/core/api'
import { cookies, ports } from '../base/ports.ts'

export const client = createClient({
  ports,
  baseUrl: location.origin,
  credentials: { kind: 'browser', cookies },
})
