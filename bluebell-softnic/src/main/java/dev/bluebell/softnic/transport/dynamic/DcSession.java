package dev.bluebell.softnic.transport.dynamic;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.reliable.RcResponder;
import org.jspecify.annotations.Nullable;

/**
 * A session of a DC target with one stream of one initiator. While it is open it has a responder,
 * like a connection. Afterwards it keeps its number, so that a late packet does not begin it again.
 * Owned by the thread that runs the engine.
 */
final class DcSession extends Work {
  private final DcTarget target;
  private final Connection connection;
  private final Lifecycle life;
  private final RcResponder responder;

  // The initiator's stream that it belongs to, and the path back.
  private @Nullable Path back;
  private int qpn;
  private int stream;

  private int number;
  private boolean open;

  /** Next in its bucket of {@link DcSessions}. */
  @Nullable DcSession next;

  DcSession(DcTarget target) {
    this.target = target;
    belongTo(target.client());
    connection = new Connection(target.self(), target.fabric(), this, target.chip().counters());
    life = new Lifecycle(target.chip(), target.self(), this, this);
    responder =
        new RcResponder(
            new End(target.chip(), target.self(), life, connection), target.source(), null, null);
    target.configure(connection);
  }

  /** Assigns it to the initiator's stream that sent a request. */
  void own(Packet request) {
    back = target.back(request);
    qpn = request.sourceQpn;
    stream = request.stream;
    open = false;
  }

  /** True when it belongs to the initiator's stream that sent a packet. */
  boolean isOf(Packet packet) {
    return qpn == packet.sourceQpn
        && stream == packet.stream
        && back != null
        && back.isFrom(packet);
  }

  int hash() {
    return DcSessions.hash(qpn, stream);
  }

  /** Number of the open session, or of the last one. */
  int number() {
    return number;
  }

  boolean isOpen() {
    return open;
  }

  /** True when it can be dropped without losing anything. */
  boolean isIdle() {
    return !open || responder.isIdle();
  }

  RcResponder responder() {
    return responder;
  }

  /** Begins the session that a request belongs to. */
  void begin(Packet request) {
    number = request.session;
    open = true;
    if (back == null || !back.answers(request)) {
      back = target.back(request);
    }
    connection.connect(back, qpn);
    connection.identify(0, stream, number);
    responder.reset();
    responder.start(request.sessionPsn, target.logReads());
    responder.configure(target.attributes());
    life.enter(QpState.RST);
    life.enter(QpState.RTS);
  }

  /** Acknowledges executed requests to its initiator before the target is destroyed. */
  void settle() {
    if (open) {
      responder.settle();
    }
  }

  /**
   * Ends the session; a message that was arriving is lost, and its receive WQE flushed.
   *
   * @param how what its initiator did, for explanations
   */
  void end(String how) {
    if (open && responder.isIdle()) {
      open = false;
    } else if (open) {
      life.fail("its initiator " + how);
      finish();
    }
  }

  private void finish() {
    boolean unused = life.takeFlush();
    open = false;
    target.order().show();
    responder.flushHeld(life.cause());
    responder.reset();
  }

  @Override
  protected int turn() {
    if (!open || life.isAbandoned()) {
      return 0;
    }
    int done = responder.respond();
    if (life.state() == QpState.ERR) {
      finish();
    }
    return done;
  }

  @Override
  protected void abandon(String why) {
    target.chip().explainQueuePair(target.self().number(), why);
    life.abandon();
    open = false;
  }

  @Override
  public String toString() {
    return "the session of QP 0x%x with %s".formatted(qpn, target.self().name());
  }
}
