package dev.bluebell.hca;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.structure.View;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A device that modifies commands before it passes them on, so that tests can send what the driver
 * never would. It forwards everything else. As thread-safe as the wrapped device.
 */
public abstract class ChangingHca extends ForwardingHca {
  private final Map<Integer, Consumer<View>> changes = new ConcurrentHashMap<>();

  /** Wraps a device; closing this object closes the device. */
  protected ChangingHca(Hca target) {
    super(target);
  }

  /**
   * From now on, changes a command that creates or modifies objects.
   *
   * @param opcode opcode of the command
   * @param change modifies the command's input
   */
  public final void change(int opcode, Consumer<View> change) {
    changes.put(opcode, change);
  }

  /**
   * Called for each object that a command created.
   *
   * @param command the command that the device received
   */
  protected void created(byte[] command, HcaObject object) {}

  private byte[] changed(byte[] command) {
    Consumer<View> change = changes.get(View.over(command).getInt(CmdIn.OPCODE));
    if (change == null) {
      return command;
    }
    View in = View.over(command.clone());
    change.accept(in);
    return in.bytes();
  }

  @Override
  public final HcaObject create(byte[] command) {
    byte[] sent = changed(command);
    HcaObject object = super.create(sent);
    created(sent, object);
    return new ChangedObject(object);
  }

  @Override
  public final HcaEventChannel openEventChannel() {
    return new ChangedChannel(super.openEventChannel());
  }

  private static @Nullable HcaObject real(@Nullable HcaObject object) {
    return object instanceof ChangedObject changed ? changed.target : object;
  }

  /** Unwraps each {@link ChangedObject} for a channel of the wrapped device. */
  private record ChangedChannel(HcaEventChannel target) implements HcaEventChannel {
    @Override
    public void subscribe(@Nullable HcaObject object, int type, long cookie) {
      target.subscribe(real(object), type, cookie);
    }

    @Override
    public void unsubscribe(@Nullable HcaObject object, int type, long cookie) {
      target.unsubscribe(real(object), type, cookie);
    }

    @Override
    public @Nullable HcaEvent poll() {
      return target.poll();
    }

    @Override
    public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
      return target.await(timeoutNanos);
    }

    @Override
    public void wakeup() {
      target.wakeup();
    }

    @Override
    public void close() {
      target.close();
    }
  }

  /** An object whose commands are changed as well. */
  private final class ChangedObject implements HcaObject {
    private final HcaObject target;

    ChangedObject(HcaObject target) {
      this.target = target;
    }

    @Override
    public int number() {
      return target.number();
    }

    @Override
    public byte[] output() {
      return target.output();
    }

    @Override
    public byte[] modify(byte[] command) {
      return target.modify(changed(command));
    }

    @Override
    public byte[] query(byte[] command) {
      return target.query(command);
    }

    @Override
    public void close() {
      target.close();
    }
  }
}
