import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpsRequest } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { describe, it } from 'node:test';
import { connect } from 'node:tls';
import { Registry } from 'prom-client';
import request from 'supertest';
import { createHttpMetrics } from '../../src/http/metrics.ts';
import { createReviewServer } from '../../src/http/server.ts';
import { authority, ca, createLines, dial, echo, pair, post, serving, until, type Wire } from './serving.ts';

const LIMIT = { timeout: 30_000 };
const TIMEOUT_TEXT = '{"error":"a request must be complete within 0.25 s"}';
const QUICK = { requestTimeoutMs: 250, headersTimeoutMs: 250 };

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The code of the error that a TLS client meets; fails when the connection comes about. */
const refusedWith = async (port: number, options: object): Promise<string | undefined> => {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca, ...options });
  const outcome = await Promise.race([
    once(socket, 'secureConnect').then(() => undefined),
    once(socket, 'error'),
  ]).catch((error: NodeJS.ErrnoException) => error);
  socket.destroy();
  if (outcome === undefined) throw new Error('the connection came about');
  return (outcome instanceof Error ? outcome : (outcome[0] as NodeJS.ErrnoException)).code;
};

describe('TLS', LIMIT, () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`takes ${version}`, () =>
      serving({}, async ({ port }) => {
        const wire = await dial(port, { minVersion: version, maxVersion: version });
        wire.send(post('/validate', '{}'));
        assert.deepEqual([wire.socket.getProtocol(), (await wire.response()).status], [version, 200]);
        wire.socket.destroy();
      }));
  }

  it('refuses TLS 1.1, counts it and says so in the log', () =>
    serving({}, async ({ port, lines, samples }) => {
      const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
      assert.equal(await refusedWith(port, old), 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
      await until(() => lines.length > 0);
      assert.deepEqual(
        lines.map(({ level, message, fields }) => [level, message, fields['client'], fields['code']]),
        [['warn', 'a TLS handshake failed', '127.0.0.1', 'ERR_SSL_UNSUPPORTED_PROTOCOL']],
      );
      assert.deepEqual(await samples('podrail_http_connection_errors_total'), ['{reason="tls"} 1']);
    }));

  for (const { offered, chosen } of [
    { offered: ['h2', 'http/1.1'], chosen: 'http/1.1' },
    { offered: ['http/1.1'], chosen: 'http/1.1' },
    { offered: undefined, chosen: false },
  ]) {
    it(`with ALPN ${offered?.join(' and ') ?? 'left out'} speaks HTTP/1.1`, () =>
      serving({}, async ({ port }) => {
        const wire = await dial(port, offered === undefined ? {} : { ALPNProtocols: offered });
        wire.send(post('/validate', '{}'));
        assert.deepEqual([wire.socket.alpnProtocol, (await wire.response()).status], [chosen, 200]);
        wire.socket.destroy();
      }));
  }

  it('with ALPN h2 alone is refused', () =>
    serving({}, async ({ port }) => {
      const code = await refusedWith(port, { ALPNProtocols: ['h2'] });
      assert.equal(code, 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL');
    }));

  for (const { what, bytes } of [
    { what: 'plain HTTP', bytes: 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n' },
    { what: 'garbage', bytes: '\u0016\u0003\u0001\u00ff\u00ff\u0001xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' },
  ]) {
    it(`ends a connection of ${what}, and serves the next`, () =>
      serving({}, async ({ port, url, samples }) => {
        const socket = connectPlain(port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.resume();
        socket.end(Buffer.from(bytes, 'latin1'));
        await once(socket, 'close');
        await until(async () => (await samples('podrail_http_connection_errors_total')).length > 0);
        assert.deepEqual(await samples('podrail_http_connection_errors_total'), ['{reason="tls"} 1']);
        assert.equal((await request(url).post('/validate').ca(ca).send({})).status, 200);
      }));
  }

  it('ends a connection that never finishes its handshake', () =>
    serving({ limits: QUICK }, async ({ port, samples }) => {
      const socket = connectPlain(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.resume();
      await once(socket, 'close');
      assert.deepEqual(await samples('podrail_http_connection_errors_total'), ['{reason="tls"} 1']);
    }));
});

describe('another certificate', LIMIT, () => {
  it('is shown to new connections, and an open one goes on', () =>
    serving({}, async ({ port, server }) => {
      const before = await dial(port);
      before.send(post('/validate', '1'));
      await before.response();
      const renewed = await authority.issue([], new Date());
      server.reload(renewed);
      const after = await dial(port);
      const serials = [before, after].map(({ socket }) => socket.getPeerCertificate().serialNumber);
      assert.notEqual(serials[0], serials[1]);
      for (const wire of [before, after]) wire.send(post('/validate', '2'));
      assert.deepEqual([(await before.response()).status, (await after.response()).status], [200, 200]);
      before.socket.destroy();
      after.socket.destroy();
    }));

  it('keeps the rules of the old one', () =>
    serving({}, async ({ port, server }) => {
      server.reload(await authority.issue([], new Date()));
      const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
      assert.equal(await refusedWith(port, old), 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
    }));

  it('that is no good throws, and the old one stays', () =>
    serving({}, async ({ port, server }) => {
      const other = await authority.issue([], new Date());
      assert.throws(() => server.reload({ cert: pair.cert, key: other.key }));
      const wire = await dial(port);
      wire.send(post('/validate', '{}'));
      assert.equal((await wire.response()).status, 200);
      wire.socket.destroy();
    }));
});

describe('a request that is not proper HTTP', LIMIT, () => {
  for (const { what, bytes, status, error, reason } of [
    {
      what: 'no HTTP at all',
      bytes: 'hello there\r\n\r\n',
      status: 400,
      error: 'this is not an HTTP/1.1 request',
      reason: 'malformed',
    },
    {
      what: 'both a length and chunks',
      bytes: post('/validate', '{}', 'Transfer-Encoding: chunked\r\n'),
      status: 400,
      error: 'this is not an HTTP/1.1 request',
      reason: 'malformed',
    },
    {
      what: 'a length that is no number',
      bytes: 'POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
      status: 400,
      error: 'this is not an HTTP/1.1 request',
      reason: 'malformed',
    },
    {
      what: 'headers that are too large',
      bytes: post('/validate', '{}', `X-Large: ${'x'.repeat(20_000)}\r\n`),
      status: 431,
      error: 'the headers must have at most 16384 bytes',
      reason: 'headers_too_large',
    },
  ]) {
    it(`with ${what} gives ${status} and an end`, () =>
      serving({}, async ({ port, samples }) => {
        const wire = await dial(port);
        wire.send(bytes);
        const response = await wire.response();
        assert.deepEqual(
          [response.status, response.headers['connection'], JSON.parse(response.body), await wire.ended()],
          [status, 'close', { error }, ''],
        );
        assert.deepEqual(await samples('podrail_http_connection_errors_total'), [`{reason="${reason}"} 1`]);
      }));
  }

  for (const { what, bytes, status } of [
    { what: 'no Host', bytes: 'POST /validate HTTP/1.1\r\nContent-Length: 0\r\n\r\n', status: 400 },
    { what: 'an unknown expectation', bytes: post('/validate', '{}', 'Expect: tea\r\n'), status: 417 },
  ]) {
    it(`with ${what} gives ${status}, and never reaches a decision`, () => {
      let decisions = 0;
      const answer = () => {
        decisions += 1;
        return '{}';
      };
      return serving({ answer }, async ({ port }) => {
        const wire = await dial(port);
        wire.send(bytes);
        assert.deepEqual([(await wire.response()).status, decisions], [status, 0]);
        wire.socket.destroy();
      });
    });
  }

  it('behind a review gets its 400 after the review has its answer', () =>
    serving({}, async ({ port }) => {
      const wire = await dial(port);
      wire.send(`${post('/validate', '1')}garbage\r\n\r\n`);
      const statuses = [(await wire.response()).status, (await wire.response()).status];
      assert.deepEqual([statuses, await wire.ended()], [[200, 400], '']);
    }));

  it('with headers that stop half-way gives 408', () =>
    serving({ limits: QUICK }, async ({ port, samples }) => {
      const wire = await dial(port);
      wire.send('POST /validate HTTP/1.1\r\nHost: loc');
      const { status, body } = await wire.response();
      assert.deepEqual([status, body, await wire.ended()], [408, TIMEOUT_TEXT, '']);
      assert.deepEqual(await samples('podrail_http_connection_errors_total'), ['{reason="timeout"} 1']);
    }));

  it('with a body that stalls gives 408, also when it dribbles', () =>
    serving({ limits: QUICK }, async ({ port, samples }) => {
      const wire = await dial(port);
      wire.send(post('/validate', 'x'.repeat(100)).slice(0, -100));
      const dribble = setInterval(() => wire.send('x'), 20);
      const { status, body } = await wire.response();
      assert.deepEqual([status, body, await wire.ended()], [408, TIMEOUT_TEXT, '']);
      clearInterval(dribble);
      await until(async () => (await samples('podrail_http_requests_total')).length > 0);
      assert.deepEqual(await samples('podrail_http_requests_total'), ['{endpoint="validate",code="aborted"} 1']);
    }));
});

describe('connections', LIMIT, () => {
  it('that have not been used yet outlive the time that a request has', () =>
    serving({ limits: { ...QUICK, keepAliveTimeoutMs: 60_000 } }, async ({ port }) => {
      const wire = await dial(port);
      await sleep(700);
      wire.send(post('/validate', '{}'));
      assert.equal((await wire.response()).status, 200);
      wire.socket.destroy();
    }));

  for (const { what, first } of [
    { what: 'never used', first: undefined },
    { what: 'used once', first: post('/validate', '{}') },
  ]) {
    it(`that are idle for longer than the keep-alive are closed: ${what}`, () =>
      serving({ limits: { ...QUICK, keepAliveTimeoutMs: 100 } }, async ({ port }) => {
        const wire = await dial(port);
        if (first !== undefined) {
          wire.send(first);
          await wire.response();
        }
        assert.equal(await wire.ended(), '');
      }));
  }

  it('beyond the largest number are closed, and counted', () =>
    serving({ limits: { maxConnections: 2 } }, async ({ port, samples }) => {
      const wires = [await dial(port), await dial(port)];
      await assert.rejects(dial(port));
      assert.deepEqual(await samples('podrail_http_connection_errors_total'), ['{reason="too_many"} 1']);
      assert.deepEqual(await samples('podrail_http_connections'), [' 2']);
      for (const wire of wires) wire.socket.destroy();
      await until(async () => (await samples('podrail_http_connections'))[0] === ' 0');
    }));
});

describe('starting', LIMIT, () => {
  it('makes a server ready, which it is not before', async () => {
    const metrics = createHttpMetrics(new Registry());
    const limits = { drainDelayMs: 0 };
    const server = createReviewServer({ answer: echo, pair, metrics, log: createLines().log, limits });
    assert.equal(server.whyNotReady(), 'not listening yet');
    await server.start(0, '127.0.0.1');
    assert.equal(server.whyNotReady(), undefined);
    await server.stop();
  });

  it('on a port that is taken is refused', () =>
    serving({}, async ({ port }) => {
      const metrics = createHttpMetrics(new Registry());
      const server = createReviewServer({ answer: echo, pair, metrics, log: createLines().log });
      await assert.rejects(server.start(port, '127.0.0.1'), { code: 'EADDRINUSE' });
      assert.equal(server.whyNotReady(), 'not listening yet');
    }));
});

describe('stopping', LIMIT, () => {
  const half = post('/validate', '{}').slice(0, -1);

  it('first makes the server not ready, while new connections are still served and then closed', () =>
    serving({ limits: { drainDelayMs: 300 } }, async ({ server, port }) => {
      const kept = await dial(port);
      const stopped = server.stop();
      assert.equal(server.whyNotReady(), 'draining');
      const fresh = await dial(port);
      for (const wire of [kept, fresh]) {
        wire.send(post('/validate', '{}'));
        const { status, headers } = await wire.response();
        assert.deepEqual([status, headers['connection'], await wire.ended()], [200, 'close', '']);
      }
      await stopped;
    }));

  it('then refuses new connections, closes idle ones, and answers what is in flight', () =>
    serving({}, async ({ server, port }) => {
      const idle = await dial(port);
      idle.send(post('/validate', '{}'));
      await idle.response();
      const unused = await dial(port);
      const busy = await dial(port);
      busy.send(half);
      await sleep(50);
      const stopped = server.stop();
      assert.deepEqual([await idle.ended(), await unused.ended()], ['', '']);
      await assert.rejects(dial(port), { code: 'ECONNREFUSED' });
      busy.send('}');
      const { status, headers } = await busy.response();
      assert.deepEqual([status, headers['connection'], await busy.ended()], [200, 'close', '']);
      await stopped;
    }));

  it('answers the first request of clients that have just connected, or are about to', () =>
    serving({}, async ({ server, port }) => {
      const connected = await dial(port);
      const handshaking = connectPlain(port, '127.0.0.1');
      await once(handshaking, 'connect');
      await sleep(50);
      const stopped = server.stop();
      const late = await dial(port, { socket: handshaking });
      await sleep(300);
      for (const wire of [connected, late]) {
        wire.send(post('/validate', '{}'));
        const { status, headers } = await wire.response();
        assert.deepEqual([status, headers['connection'], await wire.ended()], [200, 'close', '']);
      }
      await stopped;
    }));

  it('waits no longer than it may for a request that does not end', () =>
    serving({ limits: { drainTimeoutMs: 100 } }, async ({ server, port, samples }) => {
      const stuck = await dial(port);
      stuck.send(half);
      const handshaking = connectPlain(port, '127.0.0.1');
      await once(handshaking, 'connect');
      handshaking.on('error', () => undefined);
      await sleep(50);
      await server.stop();
      assert.equal(await stuck.ended(), '');
      await until(async () => (await samples('podrail_http_connections'))[0] === ' 0');
      handshaking.destroy();
    }));

  it('twice is the same as once', () =>
    serving({}, async ({ server }) => {
      const first = server.stop();
      assert.equal(server.stop(), first);
      await first;
      assert.equal(server.stop(), first);
    }));

  it('a server that never started ends at once, and leaves it not ready', async () => {
    const metrics = createHttpMetrics(new Registry());
    const server = createReviewServer({ answer: echo, pair, metrics, log: createLines().log });
    await server.stop();
    assert.equal(server.whyNotReady(), 'draining');
  });

  it('before it could listen leaves nothing that listens', async () => {
    const metrics = createHttpMetrics(new Registry());
    const server = createReviewServer({ answer: echo, pair, metrics, log: createLines().log });
    const started = server.start(0, '127.0.0.1');
    await server.stop();
    await assert.rejects(dial(await started), { code: 'ECONNREFUSED' });
    assert.equal(server.whyNotReady(), 'draining');
  });

  it('under load fails no request of clients that connect anew when they are told to', () =>
    serving({ limits: { drainDelayMs: 200 } }, async ({ server, port }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 4, ca });
      const ask = () =>
        new Promise<number | undefined>((resolve, reject) => {
          const headers = { 'Content-Type': 'application/json', 'Content-Length': 2 };
          const options = { agent, port, host: '127.0.0.1', method: 'POST', path: '/validate', headers };
          httpsRequest(options, (response) => {
            response.resume();
            response.once('end', () => resolve(response.statusCode));
          })
            .once('error', reject)
            .end('{}');
        });
      const statuses = new Set<number | undefined>();
      let isOver = false;
      const clients = [1, 2, 3, 4].map(async () => {
        while (!isOver) statuses.add(await ask());
      });
      await sleep(50);
      const stopped = server.stop();
      await sleep(100);
      isOver = true;
      await Promise.all(clients);
      await stopped;
      agent.destroy();
      assert.deepEqual([...statuses], [200]);
    }));
});

describe('the counters', LIMIT, () => {
  it('tell requests by endpoint and status, how long they took, and when the certificate ends', async () => {
    const registry = new Registry();
    const metrics = createHttpMetrics(registry);
    metrics.certificateEnds(new Date('2027-01-31T00:00:00Z'));
    const server = createReviewServer({
      answer: echo,
      pair,
      metrics,
      log: createLines().log,
      limits: { drainDelayMs: 0 },
    });
    const port = await server.start(0, '127.0.0.1');
    const wire: Wire = await dial(port);
    for (const path of ['/validate', '/validate', '/mutate']) {
      wire.send(post(path, '{}'));
      await wire.response();
    }
    const lines = (await registry.metrics()).split('\n');
    const sample = (name: string) => lines.filter((line) => line.startsWith(name));
    assert.deepEqual(
      [
        sample('podrail_http_requests_total'),
        sample('podrail_http_request_duration_seconds_count'),
        sample('podrail_http_connections'),
        sample('podrail_tls_certificate_not_after_seconds'),
      ],
      [
        [
          'podrail_http_requests_total{endpoint="validate",code="200"} 2',
          'podrail_http_requests_total{endpoint="mutate",code="200"} 1',
        ],
        [
          'podrail_http_request_duration_seconds_count{endpoint="validate"} 2',
          'podrail_http_request_duration_seconds_count{endpoint="mutate"} 1',
        ],
        ['podrail_http_connections 1'],
        ['podrail_tls_certificate_not_after_seconds 1801353600'],
      ],
    );
    await server.stop();
  });
});
