package dev.bluebell.server;

/** The limited resources that clients of a device process can hold. */
public enum Quota {
  /** Connections whose first message has not arrived yet. */
  SILENT_CONNECTIONS("connections that have sent nothing", 1),

  /** Connections being served, except event channels; each takes heap of the device process. */
  CONNECTIONS("connections", 1),

  /**
   * Open files of the connection manager (event channels), which are connections that take much
   * less heap.
   */
  EVENT_CHANNELS("event channels of the connection manager", 1),

  /** Threads of the device process that serve one client: one or two per connection. */
  THREADS("threads", 2),

  /** Descriptors of the device process. */
  DESCRIPTORS("descriptors", 8),

  /** Memory mappings of the device process, which the kernel limits per process. */
  MAPPINGS("mappings", 4),

  /** Pages that a card would pin. Unlimited here; processes have their own limits. */
  PINNED_PAGES("pinned pages", 0),

  /** Bytes of memory that a client shares with the device process. */
  BYTES("bytes of shared memory", 1 << 20),

  /** Objects of any kind with a handle in a session. */
  OBJECTS("objects", 8),

  DOMAINS("protection domains and XRC domains", 2),
  UARS("UAR pages", 1),
  UMEMS("umems", 4),
  KEYS("memory keys", 2),

  /** Bytes of the device's own memory (MEMIC), in whole pages. */
  DEVICE_MEMORY("bytes of device memory", 0),

  /** Entries of memory keys that name other keys. */
  KEY_ENTRIES("entries of memory keys", 0),

  QUEUE_PAIRS("queue pairs", 1),

  /** Streams of DC initiators; each is a requester of its own. */
  STREAMS("streams of DC initiators", 0),

  /** DC targets; each may serve as many initiators as the device allows. */
  DC_TARGETS("DC targets", 1),

  COMPLETION_QUEUES("completion queues", 2),

  /** Receive pools and shared receive queues of XRC. */
  RECEIVE_QUEUES("shared receive queues", 1),

  /** Receive queues with tag matching; each has room for its list of tags. */
  TAG_MATCHING_QUEUES("tag-matching queues", 1),

  /** Subscriptions of a client to one kind of event of an object. */
  SUBSCRIPTIONS("event subscriptions", 2),

  /**
   * Ids of the connection manager, including joined groups; each is at most one end of a
   * connection.
   */
  CONNECTION_IDS("ids of the connection manager", 4),

  /** Objects that clients hand over and leave behind, see {@link dev.bluebell.hca.Hca#handOver}. */
  RESIDENTS("residents", 1),

  RESIDENT_OBJECTS("objects of residents", 64),

  /** Pieces of shared memory; each is a mapping of the device process. */
  RESIDENT_PIECES("pieces of memory of residents", 16),

  RESIDENT_BYTES("bytes of residents", 1 << 20),

  /** Unread events of a client, beyond those that the kernel buffers. */
  PENDING_EVENTS("pending events", 0);

  private final String plural;
  private final long first;

  Quota(String plural, long first) {
    this.plural = plural;
    this.first = first;
  }

  /** The least amount that a client needs; 0 if it can do without. */
  long first() {
    return first;
  }

  /** The resource's name, in the plural. */
  @Override
  public String toString() {
    return plural;
  }
}
