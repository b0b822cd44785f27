//! Measures the CPU time of every answer and charges it to the client's address: the handler, the layers around it, and the body while it is sent.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use hyper::body::{Frame, SizeHint};

use super::{App, Client};
use crate::play::Meter;

/// Charges an answer to the client's address.
pub(super) async fn meter(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let from = Client::of(&app, request.extensions(), request.headers()).key();
    let mut meter = app.play.budget().meter(from);
    let mut answer = pin!(next.run(request));
    let response = poll_fn(|context| meter.run(|| answer.as_mut().poll(context))).await;
    response.map(|body| if body.size_hint().exact().is_some() { body } else { Body::new(Metered { body, meter }) })
}

/// A body that is made while it is sent.
struct Metered {
    body: Body,
    meter: Meter,
}

impl HttpBody for Metered {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Metered { body, meter } = &mut *self;
        meter.run(|| Pin::new(body).poll_frame(context))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
