package dev.bluebell.server;

/** What programs of a device process can hold, each with an amount that there is of it. */
public enum Quota {
  /** Connections that have not said yet what they want. */
  SILENT_CONNECTIONS("connections that have said nothing"),

  /** Connections that are served, each of which has things in the heap of the device process. */
  CONNECTIONS("connections"),

  /** Threads of the device process that serve one program: one or two for each connection. */
  THREADS("threads"),

  /** Descriptors of the device process. */
  DESCRIPTORS("descriptors"),

  /** Mappings of the device process, of which the kernel lets a process have so many. */
  MAPPINGS("mappings"),

  /** Pages that a card would pin. There is no end of them here; processes have limits. */
  PINNED_PAGES("pinned pages"),

  /** Bytes of memory that a program shares with the device process. */
  BYTES("bytes of shared memory"),

  /** What has a handle in a session, of whatever kind. */
  OBJECTS("objects"),

  DOMAINS("protection domains and XRC domains"),
  UARS("UAR pages"),
  UMEMS("umems"),
  KEYS("memory keys"),

  /** Bytes of the device's own memory (MEMIC), in whole pages. */
  DEVICE_MEMORY("bytes of device memory"),

  /** Entries of memory keys that name other keys. */
  KEY_ENTRIES("entries of memory keys"),

  QUEUE_PAIRS("queue pairs"),
  DC_TARGETS("DC targets"),
  COMPLETION_QUEUES("completion queues"),

  /** Receive pools, shared receive queues of XRC and queues with tag matching. */
  RECEIVE_QUEUES("shared receive queues"),

  /** Kinds of events of an object that a program waits for. */
  SUBSCRIPTIONS("event subscriptions"),

  /** Events that a program has not read, beyond those that the kernel keeps for it. */
  PENDING_EVENTS("pending events");

  private final String plural;

  Quota(String plural) {
    this.plural = plural;
  }

  /** What it counts, in the plural. */
  @Override
  public String toString() {
    return plural;
  }
}
