#pragma once
// A seed's metrics as the event file that TensorBoard reads, written without TensorFlow.

#include <string>

#include "core/lab/snapshot.h"

namespace emergence {

/// The bytes of the file: after a record with the format's version one for each logged step up to the snapshot's, with
/// all metrics of that step that are known. Each record is
///
///     length (8 bytes), masked CRC-32C of it (4), an Event of TensorFlow's event.proto, masked CRC-32C of that (4)
///
/// Events have no time of day: their second is their step. seed: its place.
std::string event_file(const Snapshot& snapshot, const MetricHistory& history, int seed);

}  // namespace emergence
