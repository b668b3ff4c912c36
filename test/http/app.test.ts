import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import request from 'supertest';
import { ca, dial, serving } from './serving.ts';

const LIMIT = { timeout: 30_000 };
const WHERE = 'POST an AdmissionReview to /mutate or /validate';

describe('what is not a review', LIMIT, () => {
  for (const path of ['/', '/validate/', '/validated', '/mutate/x', '/Validate', '/livez', '/%E0%A4%A', '/x?y=%']) {
    for (const method of ['get', 'post'] as const) {
      it(`${method} ${path} gives 404 and names the right paths`, () =>
        serving({}, async ({ url }) => {
          const response = await request(url)[method](path).ca(ca);
          const error = `there is nothing at "${path.split('?')[0]}"; ${WHERE}`;
          assert.deepEqual(
            [response.status, response.headers['content-type'], response.body],
            [404, 'application/json', { error }],
          );
        }));
    }
  }

  for (const method of ['get', 'put', 'patch', 'delete', 'options'] as const) {
    for (const path of ['/validate', '/mutate?timeout=10s']) {
      it(`${method} ${path} gives 405 and allows POST`, () =>
        serving({}, async ({ url }) => {
          const response = await request(url)[method](path).ca(ca);
          const error = `method must be POST; it is ${method.toUpperCase()}: ${WHERE}`;
          assert.deepEqual([response.status, response.headers['allow'], response.body], [405, 'POST', { error }]);
        }));
    }
  }

  it('tells nothing about the software', () =>
    serving({}, async ({ url }) => {
      const { headers } = await request(url).get('/').ca(ca);
      assert.deepEqual(Object.keys(headers).sort(), ['connection', 'content-length', 'content-type', 'date']);
    }));

  it('with a long path is shown the beginning of it', () =>
    serving({}, async ({ url }) => {
      const { body } = await request(url)
        .get(`/${'x'.repeat(5000)}`)
        .ca(ca);
      assert.deepEqual(body, { error: `there is nothing at "/${'x'.repeat(79)}…"; ${WHERE}` });
    }));

  it('with a body without end is cut off', () =>
    serving({ limits: { maxBodyBytes: 1000 } }, async ({ port }) => {
      const wire = await dial(port);
      wire.send('POST /elsewhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n');
      assert.equal((await wire.response()).status, 404);
      wire.send('x'.repeat(10_000));
      assert.equal(await wire.ended(), '');
    }));

  it('is counted, and logged nowhere', () =>
    serving({}, async ({ url, lines, samples }) => {
      await request(url).get('/').ca(ca);
      await request(url).get('/validate').ca(ca);
      assert.deepEqual(await samples('podrail_http_requests_total'), [
        '{endpoint="other",code="404"} 1',
        '{endpoint="other",code="405"} 1',
      ]);
      assert.deepEqual(lines, []);
    }));
});
