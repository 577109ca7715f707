package dev.bluebell.conformance.binding;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.softnic.EngineMode;
import dev.bluebell.softnic.ManualClock;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.SoftNicOptions;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A software ConnectX without a thread and without time of its own: who polls it steps it, and when
 * it has nothing to do its clock moves on. So timeouts cost nothing, and each run is the same.
 */
final class VirtualTimeHca implements Hca {
  private static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final ManualClock clock = new ManualClock();
  private final SoftNic device =
      SoftNic.open(SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(clock));

  @Override
  public int progress() {
    int done = device.step();
    if (done == 0) {
      clock.advance(TICK_NANOS);
    }
    return done;
  }

  @Override
  public HcaEventChannel openEventChannel() {
    return new SteppingChannel(device.openEventChannel());
  }

  /** Waiters run the device, because nobody else does. */
  private final class SteppingChannel implements HcaEventChannel {
    private final HcaEventChannel channel;
    private volatile boolean closed;

    SteppingChannel(HcaEventChannel channel) {
      this.channel = channel;
    }

    @Override
    public void subscribe(@Nullable HcaObject object, int type, long cookie) {
      channel.subscribe(object, type, cookie);
    }

    @Override
    public @Nullable HcaEvent poll() {
      progress();
      return channel.poll();
    }

    @Override
    public @Nullable HcaEvent await(long timeoutNanos) {
      long deadline = clock.nanos() + timeoutNanos;
      while (true) {
        HcaEvent event = poll();
        if (event != null || closed || clock.nanos() >= deadline) {
          return event;
        }
      }
    }

    @Override
    public void close() {
      closed = true;
      channel.close();
    }
  }

  @Override
  public String name() {
    return "virtual";
  }

  @Override
  public HcaObject create(byte[] command) {
    return device.create(command);
  }

  @Override
  public byte[] execute(byte[] command) {
    return device.execute(command);
  }

  @Override
  public HcaObject allocateProtectionDomain() {
    return device.allocateProtectionDomain();
  }

  @Override
  public HcaUar allocateUar() {
    return device.allocateUar();
  }

  @Override
  public HcaUmem registerUmem(MemorySegment memory) {
    return device.registerUmem(memory);
  }

  @Override
  public HcaMemory registerMemory(
      HcaObject domain, MemorySegment memory, long address, int access) {
    return device.registerMemory(domain, memory, address, access);
  }

  @Override
  public int eventQueueNumber(int vector) {
    return device.eventQueueNumber(vector);
  }

  @Override
  public int completionVectors() {
    return device.completionVectors();
  }

  @Override
  public HcaPath resolve(int port, int gidIndex, Gid destination) {
    return device.resolve(port, gidIndex, destination);
  }

  @Override
  public HcaPort queryPort(int port) {
    return device.queryPort(port);
  }

  @Override
  public Gid queryGid(int port, int index) {
    return device.queryGid(port, index);
  }

  @Override
  public long clock() {
    return device.clock();
  }

  @Override
  public Optional<HcaDiagnosis> diagnosis() {
    return device.diagnosis();
  }

  @Override
  public void close() {
    device.close();
  }
}
