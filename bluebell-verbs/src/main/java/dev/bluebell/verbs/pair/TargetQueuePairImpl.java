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
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Lifetime;
import dev.bluebell.verbs.object.Teardown;
import java.util.List;

/** Implements {@link TargetQueuePair}. */
public abstract class TargetQueuePairImpl extends DeviceObject implements TargetQueuePair {
  private final StateMachine states;
  private final Connection connection;

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
    super(device, teardown, used);
    try {
      HcaObject object = device.hca().create(command);
      teardown.add(object::close);
      states = new StateMachine(object, device.name());
      device.watchQueuePair(object);
      connection = new Connection(states, device, settings);
      connection.start();
    } catch (RuntimeException | Error e) {
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
  public String toString() {
    return states.toString();
  }
}
