import type { Field } from '@qd/core/define'

/** The value of a kind where none is given: what PATCH without the field stores (contract http-api 3, "full replacement"). */
export function zeroOf(field: Field): unknown {
  switch (field.kind) {
    case 'flag':
      return false
    case 'refs':
    case 'list':
    case 'rules':
    case 'trend':
      return []
    case 'id-map':
    case 'part':
      return {}
    case 'number':
    case 'duration':
    case 'bytes':
    case 'rate':
    case 'percent':
    case 'ref':
      return 0
    case 'choice':
      return typeof Object.values(field.options)[0] === 'number' ? 0 : ''
    default:
      return ''
  }
}
