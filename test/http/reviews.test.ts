import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import request from 'supertest';
import { InvalidReview } from '../../src/admission/invalid-review.ts';
import { ca, chunk, chunkedHead, dial, post, serving, until } from './serving.ts';

const LIMIT = { timeout: 30_000 };

describe('a review', LIMIT, () => {
  for (const { target, phase } of [
    { target: '/validate', phase: 'validate' },
    { target: '/mutate', phase: 'mutate' },
    { target: '/validate?timeout=10s', phase: 'validate' },
    { target: '/mutate?timeout=30s', phase: 'mutate' },
    { target: '/mutate?', phase: 'mutate' },
  ]) {
    it(`posted to ${target} is answered in phase ${phase}, with the text that was sent`, () =>
      serving({}, async ({ url }) => {
        const text = '{"kind":"AdmissionReview",  "a":"ä€😀"}';
        const response = await request(url).post(target).ca(ca).set('Content-Type', 'application/json').send(text);
        assert.deepEqual(
          { status: response.status, type: response.headers['content-type'], body: response.body },
          { status: 200, type: 'application/json', body: { phase, text } },
        );
      }));
  }

  it('is answered with no more than type, length, date and keep-alive', () =>
    serving({ answer: () => '{"ü":1}' }, async ({ port }) => {
      const wire = await dial(port);
      wire.send(post('/validate', '{}'));
      const { status, headers, body } = await wire.response();
      const { date, ...rest } = headers;
      assert.equal(typeof date, 'string');
      assert.deepEqual(
        { status, rest, body },
        {
          status: 200,
          rest: {
            'content-type': 'application/json',
            'content-length': '8',
            connection: 'keep-alive',
            'keep-alive': 'timeout=120',
          },
          body: '{"ü":1}',
        },
      );
      wire.socket.destroy();
    }));

  it('that answer refuses as no review gives 400 and the reason, and one line in the log', () => {
    const answer = () => {
      throw new InvalidReview('request.uid must be a string; it is missing');
    };
    return serving({ answer }, async ({ url, lines }) => {
      const response = await request(url).post('/validate').ca(ca).send({});
      assert.deepEqual(
        { status: response.status, body: response.body },
        { status: 400, body: { error: 'request.uid must be a string; it is missing' } },
      );
      assert.deepEqual(lines, [
        {
          level: 'warn',
          fields: {
            endpoint: 'validate',
            status: 400,
            client: '127.0.0.1',
            error: 'request.uid must be a string; it is missing',
          },
          message: 'a request was refused',
        },
      ]);
    });
  });

  it('that meets a bug gives 500, the stack in the log, and an end neither of the process nor of the connection', () => {
    const bug = new TypeError('x is not a function');
    let calls = 0;
    const answer = () => {
      calls += 1;
      if (calls === 1) throw bug;
      return '{"second":true}';
    };
    return serving({ answer }, async ({ port, lines }) => {
      const wire = await dial(port);
      wire.send(post('/mutate', '{}'));
      const first = await wire.response();
      wire.send(post('/mutate', '{}'));
      const second = await wire.response();
      wire.socket.destroy();
      assert.deepEqual(
        [first.status, first.body, second.status, second.body],
        [500, '{"error":"podrail failed on this request; its log says why"}', 200, '{"second":true}'],
      );
      assert.deepEqual(
        lines.filter(({ level }) => level === 'error'),
        [
          {
            level: 'error',
            fields: { endpoint: 'mutate', err: bug },
            message: 'a review could not be answered',
          },
        ],
      );
    });
  });

  it('without a body is handed on as empty text', () =>
    serving({}, async ({ port }) => {
      const wire = await dial(port);
      wire.send('POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\r\n');
      assert.equal((await wire.response()).body, '{"phase":"validate","text":""}');
      wire.socket.destroy();
    }));
});

describe('the content type', LIMIT, () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON; Charset=utf8',
    'application/json; charset=us-ascii',
  ]) {
    it(`${type} is taken`, () =>
      serving({}, async ({ url }) => {
        const response = await request(url).post('/validate').ca(ca).set('Content-Type', type).send('{}');
        assert.deepEqual([response.status, response.body], [200, { phase: 'validate', text: '{}' }]);
      }));
  }

  for (const { type, error } of [
    { type: 'text/plain', error: 'it is "text/plain"' },
    { type: 'application/json; charset=latin1', error: 'it is "application/json; charset=latin1"' },
    { type: 'application/jsonp', error: 'it is "application/jsonp"' },
    { type: 'application/yaml', error: 'it is "application/yaml"' },
    { type: `x/${'y'.repeat(200)}`, error: `it is "x/${'y'.repeat(78)}…"` },
    { type: undefined, error: 'there is none' },
  ]) {
    it(`${type?.slice(0, 40) ?? 'that is missing'} gives 415`, () =>
      serving({}, async ({ port }) => {
        const wire = await dial(port);
        const header = type === undefined ? '' : `Content-Type: ${type}\r\n`;
        wire.send(`POST /validate HTTP/1.1\r\nHost: localhost\r\n${header}Content-Length: 2\r\n\r\n{}`);
        const { status, body } = await wire.response();
        const text = `content type must be application/json in UTF-8; ${error}`;
        assert.deepEqual([status, JSON.parse(body)], [415, { error: text }]);
        wire.socket.destroy();
      }));
  }

  it('with a compressed body gives 415', () =>
    serving({}, async ({ port }) => {
      const wire = await dial(port);
      wire.send(post('/validate', '{}', 'Content-Encoding: gzip\r\n'));
      const { status, body } = await wire.response();
      const error = 'body must not be compressed; its content encoding is "gzip"';
      assert.deepEqual([status, JSON.parse(body)], [415, { error }]);
      wire.socket.destroy();
    }));
});

describe('a body', LIMIT, () => {
  it('of several pieces that split a character is read as one text', () =>
    serving({}, async ({ port }) => {
      const text = '"€"';
      const bytes = Buffer.from(post('/validate', text));
      const wire = await dial(port);
      wire.send(bytes.subarray(0, -3));
      await new Promise((resolve) => setTimeout(resolve, 20));
      wire.send(bytes.subarray(-3));
      assert.deepEqual(JSON.parse((await wire.response()).body), { phase: 'validate', text });
      wire.socket.destroy();
    }));

  it('in chunks is read as one text', () =>
    serving({}, async ({ port }) => {
      const wire = await dial(port);
      wire.send(chunkedHead('/mutate'));
      wire.send(chunk('{"a":'));
      await new Promise((resolve) => setTimeout(resolve, 20));
      wire.send(`${chunk('1}')}0\r\n\r\n`);
      assert.deepEqual(JSON.parse((await wire.response()).body), { phase: 'mutate', text: '{"a":1}' });
      wire.socket.destroy();
    }));

  it('that is not UTF-8 gives 400', () =>
    serving({}, async ({ port }) => {
      const wire = await dial(port);
      wire.send(post('/validate', 'xx').slice(0, -2));
      wire.send(Buffer.from([0xc3, 0x28]));
      const { status, body } = await wire.response();
      assert.deepEqual([status, body], [400, '{"error":"body must be UTF-8"}']);
      wire.socket.destroy();
    }));

  it('of exactly the largest size is taken', () =>
    serving({ limits: { maxBodyBytes: 1000 } }, async ({ port }) => {
      const wire = await dial(port);
      wire.send(post('/validate', 'x'.repeat(1000)));
      assert.equal((await wire.response()).status, 200);
      wire.socket.destroy();
    }));

  it('that declares more gives 413 before it is sent, and the connection can be used again', () =>
    serving({ limits: { maxBodyBytes: 1000 } }, async ({ port }) => {
      const wire = await dial(port);
      const oversized = post('/validate', 'x'.repeat(1001));
      wire.send(oversized.slice(0, -1001));
      const { status, body } = await wire.response();
      assert.deepEqual([status, body], [413, '{"error":"body must have at most 1000 bytes; it has 1001"}']);
      wire.send('x'.repeat(1000));
      // The last byte of the refused body, and a review behind it.
      wire.send(`x${post('/validate', '{}')}`);
      assert.deepEqual(JSON.parse((await wire.response()).body), { phase: 'validate', text: '{}' });
      wire.socket.destroy();
    }));

  it('in chunks gives 413 as soon as it is larger', () =>
    serving({ limits: { maxBodyBytes: 1000 } }, async ({ port }) => {
      const wire = await dial(port);
      wire.send(chunkedHead('/validate'));
      wire.send(chunk('x'.repeat(600)));
      wire.send(chunk('x'.repeat(600)));
      const { status, body } = await wire.response();
      assert.deepEqual([status, body], [413, '{"error":"body must have at most 1000 bytes; it has more"}']);
      wire.send('0\r\n\r\n');
      wire.send(post('/validate', '{}'));
      assert.equal((await wire.response()).status, 200);
      wire.socket.destroy();
    }));

  it('that goes on and on after its refusal is cut off', () =>
    serving({ limits: { maxBodyBytes: 1000 } }, async ({ port }) => {
      const wire = await dial(port);
      wire.send(post('/validate', 'x'.repeat(1_000_000)).slice(0, -1_000_000));
      assert.equal((await wire.response()).status, 413);
      wire.send('x'.repeat(10_000));
      assert.equal(await wire.ended(), '');
    }));

  it('of nine megabytes, sent by an ordinary client in one go, gives 413 by default', () =>
    serving({}, async ({ url }) => {
      const body = 'x'.repeat(9_000_000);
      const response = await request(url).post('/mutate').ca(ca).set('Content-Type', 'application/json').send(body);
      const error = 'body must have at most 8388608 bytes; it has 9000000';
      assert.deepEqual([response.status, response.body], [413, { error }]);
    }));

  it('that ends early is answered nothing, counted as aborted, and holds no memory', () =>
    serving({ limits: { maxBodyBytes: 1000, maxHeldBytes: 1000 } }, async ({ port, samples }) => {
      for (let round = 1; round <= 5; round += 1) {
        const wire = await dial(port);
        wire.send(post('/validate', 'x'.repeat(900)).slice(0, -100));
        await new Promise((resolve) => setTimeout(resolve, 20));
        wire.socket.end();
        assert.equal(await wire.ended(), '');
        await until(async () =>
          (await samples('podrail_http_requests_total')).includes(`{endpoint="validate",code="aborted"} ${round}`),
        );
      }
      const wire = await dial(port);
      wire.send(post('/validate', 'x'.repeat(900)));
      assert.equal((await wire.response()).status, 200);
      wire.socket.destroy();
    }));

  it('beyond what may be held in all gives 503 and when to try again, while those before it are answered', () =>
    serving({ limits: { maxBodyBytes: 1000, maxHeldBytes: 1500 } }, async ({ port }) => {
      const first = await dial(port);
      first.send(post('/validate', 'a'.repeat(1000)).slice(0, -1));
      await new Promise((resolve) => setTimeout(resolve, 50));
      const second = await dial(port);
      second.send(post('/validate', 'b'.repeat(1000)));
      const refused = await second.response();
      assert.deepEqual(
        [refused.status, refused.headers['retry-after'], JSON.parse(refused.body)],
        [503, '1', { error: 'podrail is receiving too many large bodies at once; try again' }],
      );
      first.send('a');
      assert.equal((await first.response()).status, 200);
      second.send(post('/validate', 'b'.repeat(1000)));
      assert.equal((await second.response()).status, 200);
      first.socket.destroy();
      second.socket.destroy();
    }));
});

describe('one connection', LIMIT, () => {
  it('serves two reviews sent at once, in their order', () =>
    serving({}, async ({ port }) => {
      const wire = await dial(port);
      wire.send(post('/validate', '"first"') + post('/mutate', '"second"'));
      const bodies = [(await wire.response()).body, (await wire.response()).body].map((body) => JSON.parse(body));
      assert.deepEqual(bodies, [
        { phase: 'validate', text: '"first"' },
        { phase: 'mutate', text: '"second"' },
      ]);
      wire.socket.destroy();
    }));

  it('serves again after it was idle for longer than a request may take', () =>
    serving({ limits: { requestTimeoutMs: 250, headersTimeoutMs: 250 } }, async ({ port }) => {
      const wire = await dial(port);
      wire.send(post('/validate', '1'));
      assert.equal((await wire.response()).status, 200);
      await new Promise((resolve) => setTimeout(resolve, 700));
      wire.send(post('/validate', '2'));
      assert.deepEqual(JSON.parse((await wire.response()).body), { phase: 'validate', text: '2' });
      wire.socket.destroy();
    }));

  it('that is gone before its answer harms no one', () =>
    serving({}, async ({ port, url }) => {
      for (let round = 0; round < 20; round += 1) {
        const wire = await dial(port);
        wire.socket.write(post('/validate', '{}'), () => wire.socket.destroy());
        await wire.ended();
      }
      assert.equal((await request(url).post('/validate').ca(ca).send({})).status, 200);
    }));
});
