// The express app of the TLS port: every request that is not a review, answered with what would be one.
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { ProcessLog } from '../admission/process-log.ts';
import { BUG, notFound, sendRefusal, wrongMethod } from './refusal.ts';

/** An express app that tells nothing about itself and computes no ETags. */
export function createBareApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  return app;
}

/** Answers 500 and logs; the last handler of an app. Express knows it by its four parameters. */
export const answerFailures =
  (log: ProcessLog): ErrorRequestHandler =>
  (thrown: unknown, request, response, next) => {
    log.error({ err: thrown, method: request.method }, 'a request could not be answered');
    if (response.headersSent) next(thrown);
    else sendRefusal(response, BUG, false);
  };

/** 405 for another method on the two paths, 404 for all else. `isDraining`: the answers end their connections. */
export function createApp(log: ProcessLog, isDraining: () => boolean): Express {
  const app = createBareApp();
  const refuseMethod: RequestHandler = (request, response) =>
    sendRefusal(response, wrongMethod(request.method), !isDraining());
  app.all(['/mutate', '/validate'], refuseMethod);
  app.use((request, response) => sendRefusal(response, notFound(request.path), !isDraining()));
  app.use(answerFailures(log));
  return app;
}
