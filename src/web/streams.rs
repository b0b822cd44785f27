//! The count of every client address' open event streams. It knows no request.

use super::{error::Error, kind::Kind};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

/// The number of streams that each client address has open.
#[derive(Default)]
pub struct Streams {
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// One open stream, counted until it is dropped.
pub struct OpenStream {
    streams: Arc<Streams>,
    address: IpAddr,
}

impl Streams {
    /// Counts one more stream, unless the address has `most` already; 0 is no limit.
    pub fn open(self: &Arc<Self>, address: IpAddr, most: usize) -> Result<OpenStream, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if most > 0 && *count >= most {
            let why = format!("This address has {most} event streams open already; close one first.");
            return Err(Error::new(Kind::Often { retry_after: 10 }, why));
        }
        *count += 1;
        Ok(OpenStream { streams: self.clone(), address })
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}
