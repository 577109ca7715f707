package dev.bluebell.cli.trace;

/**
 * Field numbers of Perfetto's trace format, from its published schema ({@code
 * protos/perfetto/trace}).
 */
final class Perfetto {
  private Perfetto() {}

  /** {@code trace.proto: Trace}. */
  static final class Trace {
    static final int PACKET = 1;

    private Trace() {}
  }

  /** {@code trace_packet.proto: TracePacket}. */
  static final class TracePacket {
    static final int TIMESTAMP = 8;
    static final int TRUSTED_PACKET_SEQUENCE_ID = 10;
    static final int TRACK_EVENT = 11;
    static final int SEQUENCE_FLAGS = 13;
    static final int TRACK_DESCRIPTOR = 60;

    /** Value of sequence_flags. */
    static final int SEQ_INCREMENTAL_STATE_CLEARED = 1;

    private TracePacket() {}
  }

  /** {@code track_event/track_descriptor.proto: TrackDescriptor}. */
  static final class TrackDescriptor {
    static final int UUID = 1;
    static final int NAME = 2;
    static final int PARENT_UUID = 5;
    static final int COUNTER = 8;
    static final int CHILD_ORDERING = 11;
    static final int SIBLING_ORDER_RANK = 12;

    /** Value of child_ordering. */
    static final int EXPLICIT = 3;

    private TrackDescriptor() {}
  }

  /** {@code track_event/counter_descriptor.proto: CounterDescriptor}. */
  static final class CounterDescriptor {
    static final int UNIT = 3;

    /** Value of unit. */
    static final int UNIT_COUNT = 2;

    private CounterDescriptor() {}
  }

  /** {@code track_event/track_event.proto: TrackEvent}. */
  static final class TrackEvent {
    static final int DEBUG_ANNOTATIONS = 4;
    static final int TYPE = 9;
    static final int TRACK_UUID = 11;
    static final int CATEGORIES = 22;
    static final int NAME = 23;
    static final int COUNTER_VALUE = 30;
    static final int FLOW_IDS = 47;
    static final int TERMINATING_FLOW_IDS = 48;

    /** Value of type. */
    static final int TYPE_SLICE_BEGIN = 1;

    static final int TYPE_SLICE_END = 2;
    static final int TYPE_INSTANT = 3;
    static final int TYPE_COUNTER = 4;

    private TrackEvent() {}
  }

  /** {@code track_event/debug_annotation.proto: DebugAnnotation}. */
  static final class DebugAnnotation {
    static final int UINT_VALUE = 3;
    static final int STRING_VALUE = 6;
    static final int NAME = 10;

    private DebugAnnotation() {}
  }
}
