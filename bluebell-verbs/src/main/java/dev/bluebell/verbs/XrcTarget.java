package dev.bluebell.verbs;

import dev.bluebell.hca.HcaObject;

/**
 * The receiving end of an extended reliable connection (XRC target): it has no queue, and takes the
 * requests of one {@link XrcInitiator} for the shared receive queues of its domain. Completions are
 * those of these queues and carry its number. Mirrors {@code verbs.h: IBV_QPT_XRC_RECV}.
 *
 * <p>Thread-safe.
 */
public final class XrcTarget implements ConnectedQueuePair, AutoCloseable {
  private final XrcDomain domain;
  private final Device device;
  private final StateMachine states;
  private final Connection connection;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();

  /** Makes a target and moves it to INIT. */
  XrcTarget(XrcDomain domain, ConnectionSettings settings) {
    this.domain = domain;
    device = domain.device();
    try {
      HcaObject object = device.hca().create(domain.createTarget());
      teardown.add(object::close);
      lifetime = new Lifetime("QP 0x%x".formatted(object.number()));
      states = new StateMachine(object, lifetime.name());
      for (int type : AsyncEvent.queuePairTypes()) {
        device.events().subscribe(object, type, 0);
      }
      connection = new Connection(states, device, settings);
      connection.start();
      domain.lifetime().addUser(this);
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  @Override
  public synchronized QueuePairEndpoint endpoint() {
    lifetime.requireOpen();
    return connection.endpoint();
  }

  @Override
  public synchronized void connect(QueuePairEndpoint remote, ConnectOptions options) {
    lifetime.requireOpen();
    connection.connect(remote, options);
  }

  /**
   * Changes the rights of the initiator.
   *
   * @throws IllegalStateException when the target is neither in the INIT nor in the RTS state
   */
  public synchronized void modifyAccess(Access... rights) {
    lifetime.requireOpen();
    connection.modifyAccess(Access.setOf(rights));
  }

  /**
   * Changes how long the initiator waits when the queue that it names has no request.
   *
   * @param code as {@link ConnectOptions#minRnrTimer}
   * @throws IllegalStateException when the target is not connected
   */
  public synchronized void modifyMinRnrTimer(int code) {
    lifetime.requireOpen();
    connection.modifyMinRnrTimer(code);
  }

  /** Number of the target, 24 bits. */
  public int number() {
    return states.number();
  }

  /** Moves the target to the error state: it takes no requests any more. */
  public synchronized void toError() {
    lifetime.requireOpen();
    states.toError();
  }

  /** Takes the target back to the INIT state, from which it can connect again. */
  public synchronized void reset() {
    lifetime.requireOpen();
    states.toReset();
    connection.start();
  }

  /** Asks the device for the target's state and attributes. */
  public QueuePairAttributes query() {
    lifetime.requireOpen();
    return states.query();
  }

  /** Destroys the target. Idempotent. */
  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      domain.lifetime().removeUser(this);
      device.remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
