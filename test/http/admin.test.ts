import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { Counter, Gauge, Registry } from 'prom-client';
import request from 'supertest';
import { createAdminApp, createAdminServer } from '../../src/http/admin.ts';
import { createLines, serving } from './serving.ts';

const LIMIT = { timeout: 30_000 };

const app = (whyNotReady: () => string | undefined = () => undefined, registry = new Registry()) => {
  const { lines, log } = createLines();
  return { lines, app: createAdminApp({ registry, whyNotReady, log }) };
};

describe('the admin port', LIMIT, () => {
  it('says that the process lives, ready or not', async () => {
    const response = await request(app(() => 'draining').app).get('/livez');
    assert.deepEqual([response.status, response.type, response.text], [200, 'text/plain', 'ok\n']);
  });

  it('says that it is ready', async () => {
    const response = await request(app().app).get('/readyz');
    assert.deepEqual([response.status, response.type, response.text], [200, 'text/plain', 'ok\n']);
  });

  it('says with 503 why it is not', async () => {
    const response = await request(app(() => 'draining').app).get('/readyz');
    assert.deepEqual([response.status, response.type, response.text], [503, 'text/plain', 'not ready: draining\n']);
  });

  it('tells of a drain as soon as it begins, before anything is closed', () =>
    serving({ limits: { drainDelayMs: 200 } }, async ({ server }) => {
      const admin = app(server.whyNotReady).app;
      assert.equal((await request(admin).get('/readyz')).status, 200);
      const stopped = server.stop();
      const response = await request(admin).get('/readyz');
      assert.deepEqual([response.status, response.text], [503, 'not ready: draining\n']);
      await stopped;
    }));

  it('gives the metrics of the registry', async () => {
    const registry = new Registry();
    new Counter({ name: 'things_total', help: 'Things.', registers: [registry] }).inc(3);
    const response = await request(app(undefined, registry).app).get('/metrics');
    assert.deepEqual(
      [response.status, response.headers['content-type'], response.text],
      [
        200,
        'text/plain; version=0.0.4; charset=utf-8',
        '# HELP things_total Things.\n# TYPE things_total counter\nthings_total 3\n',
      ],
    );
  });

  it('answers 500, and logs why, when the metrics cannot be collected', async () => {
    const registry = new Registry();
    const failure = new Error('no figures');
    const collect = () => {
      throw failure;
    };
    new Gauge({ name: 'broken', help: 'Broken.', registers: [registry], collect });
    const { app: broken, lines } = app(undefined, registry);
    const response = await request(broken).get('/metrics');
    assert.deepEqual(
      [response.status, response.body, lines],
      [
        500,
        { error: 'podrail failed on this request; its log says why' },
        [{ level: 'error', fields: { err: failure, method: 'GET' }, message: 'a request could not be answered' }],
      ],
    );
  });

  for (const path of ['/livez', '/readyz', '/metrics']) {
    it(`refuses another method on ${path}`, async () => {
      const response = await request(app().app).post(path);
      assert.deepEqual(
        [response.status, response.headers['allow'], response.body],
        [405, 'GET, HEAD', { error: 'method must be GET; it is POST' }],
      );
    });
  }

  it('names its paths to who asks for another', async () => {
    const response = await request(app().app).get('/healthz');
    const error = 'there is nothing at "/healthz"; GET /livez, /readyz, /metrics';
    assert.deepEqual([response.status, response.body], [404, { error }]);
  });

  it('listens, and stops at once though a connection is open; twice is the same as once', async () => {
    const { log } = createLines();
    const server = createAdminServer({ registry: new Registry(), whyNotReady: () => undefined, log });
    const port = await server.start(0, '127.0.0.1');
    assert.equal((await request(`http://127.0.0.1:${port}`).get('/livez')).status, 200);
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const closed = once(idle, 'close');
    const stopped = server.stop();
    assert.equal(server.stop(), stopped);
    await stopped;
    await closed;
    await assert.rejects(once(connect(port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
  });

  it('that never started stops', async () => {
    const { log } = createLines();
    await createAdminServer({ registry: new Registry(), whyNotReady: () => undefined, log }).stop();
  });
});
