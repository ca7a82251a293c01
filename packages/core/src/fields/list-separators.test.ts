import { expect, test } from 'vitest'
import { textParts } from '../i18n/index.ts'

test.each([',', ', ', ';', '; ', '，', '、', '；', '､', '\n', '\r\n', '，　'])(
  'issue 36.39 %j separates',
  (separator) => {
    expect(textParts(['a.example', '例え.jp', '10.0.0.1'].join(separator))).toEqual([
      'a.example',
      '例え.jp',
      '10.0.0.1',
    ])
  },
)
