package dev.bluebell.verbs.pair;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.QueuePairAttributes;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.TargetQueuePair;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.object.AccessSets;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.object.Teardown;
import java.util.List;

/** Implements {@link TargetQueuePair}. */
public abstract class TargetQueuePairImpl implements TargetQueuePair {
  private final DeviceContext device;
  private final List<Lifetime> used;
  private final StateMachine states;
  private final Connection connection;
  private final Lifetime lifetime;
  private final Teardown teardown;

  /**
   * Makes a target and moves it to INIT.
   *
   * @param command creates it
   * @param teardown the steps that destroy the objects that the command names
   * @param used the objects that must outlive the target
   */
  public TargetQueuePairImpl(
      DeviceContext device,
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
      device.watchQueuePair(object);
      connection = new Connection(states, device, settings);
      connection.start();
    } catch (RuntimeException e) {
      throw teardown.runAfter(e);
    }
  }

  /** Registers the target as a user of its objects; closes the target if one of them is closed. */
  public final void useObjects() {
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

  @Override
  public synchronized void modifyAccess(Access... rights) {
    lifetime.requireOpen();
    connection.modifyAccess(AccessSets.of(rights));
  }

  @Override
  public synchronized void modifyMinRnrTimer(int code) {
    lifetime.requireOpen();
    connection.modifyMinRnrTimer(code);
  }

  @Override
  public int number() {
    return states.number();
  }

  @Override
  public synchronized void toError() {
    lifetime.requireOpen();
    states.toError();
  }

  @Override
  public synchronized void reset() {
    lifetime.requireOpen();
    states.toReset();
    connection.start();
  }

  @Override
  public QueuePairAttributes query() {
    lifetime.requireOpen();
    return states.query();
  }

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
