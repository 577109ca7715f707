package dev.bluebell.server;

/** What clients of a device process can hold, each with an amount that there is of it. */
public enum Quota {
  /** Connections that have not said yet what they want. */
  SILENT_CONNECTIONS("connections that have said nothing", 1),

  /** Connections that are served, each of which has things in the heap of the device process. */
  CONNECTIONS("connections", 1),

  /** Threads of the device process that serve one client: one or two for each connection. */
  THREADS("threads", 2),

  /** Descriptors of the device process. */
  DESCRIPTORS("descriptors", 8),

  /** Mappings of the device process, of which the kernel lets a process have so many. */
  MAPPINGS("mappings", 4),

  /** Pages that a card would pin. There is no end of them here; processes have limits. */
  PINNED_PAGES("pinned pages", 0),

  /** Bytes of memory that a client shares with the device process. */
  BYTES("bytes of shared memory", 1 << 20),

  /** What has a handle in a session, of whatever kind. */
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

  /** Streams of DC initiators, each of which is a requester of its own. */
  STREAMS("streams of DC initiators", 0),

  /** DC targets, each of which may serve as many initiators as the device allows. */
  DC_TARGETS("DC targets", 1),

  COMPLETION_QUEUES("completion queues", 2),

  /** Receive pools and shared receive queues of XRC. */
  RECEIVE_QUEUES("shared receive queues", 1),

  /** Receive queues with tag matching, each of which has room for its list of tags. */
  TAG_MATCHING_QUEUES("tag-matching queues", 1),

  /** Kinds of events of an object that a client waits for. */
  SUBSCRIPTIONS("event subscriptions", 2),

  /**
   * Ids of the connection manager, joined groups among them; each is one end of a connection at
   * most.
   */
  CONNECTION_IDS("ids of the connection manager", 4),

  /** What clients hand over and leave, see {@link dev.bluebell.hca.Hca#handOver}. */
  RESIDENTS("residents", 1),

  RESIDENT_OBJECTS("objects of residents", 64),

  /** Pieces of shared memory, each of which is a mapping of the device process. */
  RESIDENT_PIECES("pieces of memory of residents", 16),

  RESIDENT_BYTES("bytes of residents", 1 << 20),

  /** Events that a client has not read, beyond those that the kernel keeps for it. */
  PENDING_EVENTS("pending events", 0);

  private final String plural;
  private final long first;

  Quota(String plural, long first) {
    this.plural = plural;
    this.first = first;
  }

  /** How much a client needs to do the least; 0 where it can do without. */
  long first() {
    return first;
  }

  /** What it counts, in the plural. */
  @Override
  public String toString() {
    return plural;
  }
}
