package dev.bluebell.verbs;

import dev.bluebell.hca.HcaObject;
import java.util.List;

/**
 * The end of a reliable connection that only receives, from queues that are not its own, and so has
 * no queue that a program could use. Thread-safe.
 */
abstract class TargetQueuePair implements ConnectedQueuePair, AutoCloseable {
  private final Device device;
  private final List<Lifetime> used;
  private final StateMachine states;
  private final Connection connection;
  private final Lifetime lifetime;
  private final Teardown teardown;

  /**
   * Makes a target and moves it to INIT.
   *
   * @param command creates it
   * @param teardown the steps that end what the command names
   * @param used the objects that must outlive the target
   */
  TargetQueuePair(
      Device device,
      ConnectionSettings settings,
      byte[] command,
      Teardown teardown,
      List<Lifetime> used) {
    this.device = device;
    this.used = used;
    this.teardown = teardown;
    try {
      HcaObject object = device.hca().create(command);
      teardown.add(object::close);
      lifetime = new Lifetime("QP 0x%x".formatted(object.number()));
      states = new StateMachine(object, device.name(), lifetime.name());
      for (int type : AsyncEvent.queuePairTypes()) {
        device.events().subscribe(object, type, 0);
      }
      connection = new Connection(states, device, settings);
      connection.start();
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  /** Says that the target uses its objects; when one of them is closed, the target is. */
  final void useObjects() {
    try {
      used.forEach(object -> object.addUser(this));
    } catch (IllegalStateException e) {
      close();
      throw e;
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
   * Changes the rights of the peer.
   *
   * @throws IllegalStateException when the target is neither in the INIT nor in the RTS state
   */
  public synchronized void modifyAccess(Access... rights) {
    lifetime.requireOpen();
    connection.modifyAccess(Access.setOf(rights));
  }

  /**
   * Changes how long the peer waits when the queue that it names has no request.
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
      used.forEach(object -> object.removeUser(this));
      device.remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
