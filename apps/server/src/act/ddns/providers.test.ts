import { expect, test } from 'vitest'
import { authorization, type SignedCall, signatureOf, signingKey, textToSign } from './providers.ts'

/** The worked example of Tencent Cloud's documentation, "Signature v3", in its two versions: with and without the action among the headers. */
const call: SignedCall = {
  headers: { 'content-type': 'application/json; charset=utf-8', host: 'cvm.tencentcloudapi.com' },
  body: String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`,
  service: 'cvm',
  at: 1_551_113_065,
}
const withAction = { ...call, headers: { ...call.headers, 'x-tc-action': 'DescribeInstances' } }

test('the text to sign is the published one', () => {
  expect(textToSign(withAction)).toBe(
    'TC3-HMAC-SHA256\n1551113065\n2019-02-25/cvm/tc3_request\n7019a55be8395899b900fb5564e4200d984910f34794a27cb3fb7d10ff6a1e84',
  )
})

test('the published key of the day gives the published signature', () => {
  const key = Buffer.from('b596b923aad85185e2d1f6659d2a062e0a86731226e021e61bfe06f7ed05f5af', 'hex')
  expect(signatureOf(key, textToSign(withAction))).toBe(
    '10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f',
  )
})

test('the published example key gives the published header, whole', () => {
  const id = 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE'
  const key = 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE'
  expect(signingKey(key, call)).toHaveLength(32)
  expect(authorization({ id, key }, call)).toBe(
    `TC3-HMAC-SHA256 Credential=${id}/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, ` +
      'Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
  )
})
