package dev.bluebell.softnic.transport.dynamic;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.PartitionKey;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.Drops;
import dev.bluebell.softnic.transport.connection.PayloadOrder;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.reliable.RcResponder;
import dev.bluebell.softnic.transport.reliable.ResponderAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A target of dynamic connections (DCT): executes the requests of any initiator that has its access
 * key, with one session per initiator stream, and receives messages into a shared queue. Owned by
 * the thread that runs the engine.
 */
public final class DcTarget {
  private final Chip chip;
  private final Fabric fabric;
  private final QpIdentity self;
  private final String name;
  private final byte[] context;
  private final ReceiveSource source;
  private final int gidIndex;
  private final int partitionKey;
  private final long key;
  private final Drops drops;
  private final PayloadOrder order;
  private final DcSessions sessions = new DcSessions();

  // Attributes of new sessions.
  private final ResponderAttributes attributes;
  private final int mtu;
  private final int partitionKeyIndex;
  private final int logReads;

  // The client whose turns its sessions use.
  private final Client client;

  private boolean drained;
  private boolean armed;
  private int violations;

  /**
   * @param number the DCTN
   * @param context the DCT context, kept for QUERY_DCT
   * @param source the receive queue of messages
   * @param logReads logarithm of the READs and atomics that each session serves at a time
   */
  public DcTarget(
      Chip chip, Fabric fabric, int number, byte[] context, ReceiveSource source, int logReads) {
    this.chip = chip;
    client = chip.scheduler().client();
    this.fabric = fabric;
    this.context = context;
    this.source = source;
    View dctc = View.over(context);
    gidIndex = dctc.getInt(Dctc.MY_ADDR_INDEX);
    partitionKey = fabric.station().partitionKey(dctc.getInt(Dctc.PKEY_INDEX));
    key = dctc.get(Dctc.DC_ACCESS_KEY);
    self =
        new QpIdentity(
            number, ServiceType.DCI, dctc.getInt(Dctc.PD), dctc.getInt(Dctc.USER_INDEX), true);
    name = self.name();
    drops = new Drops(chip, self, Drops.RETRIES_EXPLAINED);
    order = new PayloadOrder(chip, number);
    order.configure(
        dctc.isSet(Dctc.DP_ORDERING_FORCE),
        dctc.isSet(Dctc.DP_ORDERING_0),
        dctc.isSet(Dctc.DP_ORDERING_1));
    mtu = dctc.getInt(Dctc.MTU);
    partitionKeyIndex = dctc.getInt(Dctc.PKEY_INDEX);
    attributes = ResponderAttributes.ofDct(dctc);
    this.logReads = logReads;
  }

  // ---- commands

  public int number() {
    return self.number();
  }

  /** The context that it was created with, not copied. */
  public byte[] context() {
    return context;
  }

  /** True when no session is open and no new one may begin. */
  public boolean isDrained() {
    return drained;
  }

  /** Number of requests with another access key. */
  public int violations() {
    return violations;
  }

  /** Ends all sessions, prevents new ones, and raises an event. */
  public void drain() {
    drained = true;
    order.show();
    for (DcSession session : sessions.all()) {
      session.settle();
      session.end("was cut off, because the target is drained");
    }
    raise(HcaEvent.DCT_DRAINED);
  }

  /** Arms an event for the next request with another access key. */
  public void arm() {
    armed = true;
  }

  /** Detaches a drained target from the engine. */
  public void release(Engine engine) {
    sessions.all().forEach(engine::remove);
  }

  private void raise(int type) {
    chip.recorder().record(HcaHappening.EVENT, self.number(), 0, type);
    chip.events().raise(type, self.number(), 0);
  }

  // ---- packets

  /**
   * Handles a request, or the end of a session, from the fabric.
   *
   * @return why it was dropped without a response; empty when it was not
   */
  public String receive(Packet request) {
    boolean leaving = BthOpcode.operation(request.opcode) == Opcodes.DISCONNECT;
    if (request.dcKey != key) {
      return leaving ? "" : refuseKey(request);
    }
    if (drained) {
      return "%s is drained".formatted(name);
    }
    String misled = fabric.station().whyNotFor(request, gidIndex, name);
    if (!misled.isEmpty()) {
      return misled;
    }
    if (!PartitionKey.match(request.partitionKey, partitionKey)) {
      return leaving ? "" : refusePartition(request);
    }
    DcSession session = sessions.find(request);
    if (session != null && session.isOpen() && session.number() == request.session) {
      if (leaving) {
        session.end("turned away or failed");
        return "";
      }
      return session.responder().receive(request);
    }
    return leaving ? "" : begin(request, session);
  }

  private String begin(Packet request, @Nullable DcSession known) {
    if (known != null && request.session - known.number() <= 0) {
      chip.recorder().record(HcaHappening.DROPPED, self.number(), 0, request.psn);
      return "its session with %s is over".formatted(name);
    }
    DcSession session = known == null ? sessions.make(request, this) : known;
    if (session == null) {
      return "%s already serves %d initiators, and none of them is idle"
          .formatted(name, DcSessions.MOST);
    }
    session.end("began another session");
    session.begin(request);
    return session.responder().receive(request);
  }

  private String refusePartition(Packet request) {
    chip.counters().partitionKeyViolation();
    return "%s has the partition key 0x%04x (pkey_index), but the request came with 0x%04x"
        .formatted(name, partitionKey, request.partitionKey);
  }

  private String refuseKey(Packet request) {
    violations++;
    String why =
        "dc_key 0x%x of the address vector is not the dc_access_key of %s"
            .formatted(request.dcKey, name);
    drops.drop(request.psn, why);
    if (armed) {
      armed = false;
      raise(HcaEvent.DCT_KEY_VIOLATION);
    }
    return why;
  }

  /** The responder of an initiator's session with it; null when there is none. */
  public @Nullable RcResponder responder(Packet packet) {
    DcSession session = sessions.find(packet);
    return session != null && session.isOpen() && session.number() == packet.session
        ? session.responder()
        : null;
  }

  // ---- attributes of sessions

  /** The rights and attributes of the responder of a session. */
  ResponderAttributes attributes() {
    return attributes;
  }

  /** Logarithm of the READs and atomics that a session serves at a time. */
  int logReads() {
    return logReads;
  }

  /** Configures the connection of a session. */
  public void configure(Connection connection) {
    connection.configure(mtu, partitionKeyIndex);
  }

  /** The client whose turns its sessions use. */
  public Client client() {
    return client;
  }

  public Chip chip() {
    return chip;
  }

  public Fabric fabric() {
    return fabric;
  }

  public QpIdentity self() {
    return self;
  }

  public ReceiveSource source() {
    return source;
  }

  public PayloadOrder order() {
    return order;
  }

  /** The path back to the initiator that sent a request. */
  Path back(Packet request) {
    return fabric.station().back(request, gidIndex);
  }

  @Override
  public String toString() {
    return "%s: %s, %s%s"
        .formatted(
            name,
            drained ? "drained" : "active",
            Counted.of(sessions.open(), "session"),
            violations == 0
                ? ""
                : ", %s with another key".formatted(Counted.of(violations, "request")));
  }
}
