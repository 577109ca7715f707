package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * A device that the test steps, with a clock that the test moves, and raw objects on it, to write
 * wrong bytes and doorbells that a driver never writes. Closing the rig keeps the device's
 * explanations for {@link Heard}.
 */
public final class Rig implements AutoCloseable {
  private final ManualClock clock;
  private final SoftNic nic;
  private final HcaObject domain;
  private final HcaUar uar;
  private final HcaEventChannel events;

  /** Uses a device in mode STEPPED, and owns it from now on. */
  public Rig(SoftNic nic, ManualClock clock) {
    this.nic = nic;
    this.clock = clock;
    Defects.take();
    domain = nic.allocateProtectionDomain();
    uar = nic.allocateUar();
    events = nic.openEventChannel();
  }

  public SoftNic nic() {
    return nic;
  }

  public ManualClock clock() {
    return clock;
  }

  public HcaObject domain() {
    return domain;
  }

  public HcaUar uar() {
    return uar;
  }

  /** Steps the device until it waits for something. */
  public void settle() {
    nic.settle();
  }

  /** Steps the device until it waits for something, after at most so many steps. */
  public void settle(int most) {
    for (int steps = 0; nic.step() > 0; steps++) {
      Assertions.assertThat(steps).isLessThan(most);
    }
  }

  /** Lets time pass, then steps the device until it waits for something. */
  public void pass(long nanos) {
    clock.advance(nanos);
    nic.settle();
  }

  /** Subscribes to an event; {@link #takeEvents} returns it. */
  public void subscribe(HcaObject object, int type) {
    events.subscribe(object, type, type);
  }

  /** Subscribed events since the last call. */
  public List<HcaEvent> takeEvents() {
    List<HcaEvent> taken = new ArrayList<>();
    for (HcaEvent event = events.poll(); event != null; event = events.poll()) {
      taken.add(event);
    }
    return taken;
  }

  /** Registered memory with all rights. */
  public RawMemory memory(int bytes) {
    return memory(bytes, HcaAccess.ALL);
  }

  /** Registered memory. */
  public RawMemory memory(int bytes, int access) {
    return memory(domain, bytes, access);
  }

  /** Memory registered in another protection domain than {@link #domain}. */
  public RawMemory memory(HcaObject otherDomain, int bytes, int access) {
    return new RawMemory(nic, otherDomain, bytes, access);
  }

  public RawCq cq(int logSize) {
    return new RawCq(this, logSize);
  }

  /** A queue pair with queues of 16 WQEBBs and 8 receives of one segment, in state RST. */
  public RawQp qp(RawCq cq) {
    return qp(new RawQpPlan(cq));
  }

  public RawQp qp(RawQpPlan plan) {
    return new RawQp(this, plan);
  }

  /** Two connected queue pairs with a completion queue of 64 entries each. */
  public RawPair pair() {
    return pair(new Settings());
  }

  public RawPair pair(Settings settings) {
    return RawPair.connect(qp(cq(6)), qp(cq(6)), settings);
  }

  /** All explanations of the device so far, oldest first. */
  public List<String> explanations() {
    return nic.diagnosis().orElseThrow().explanations();
  }

  /** The last explanation. */
  public String explanation() {
    List<String> all = explanations();
    return all.isEmpty() ? "" : all.getLast();
  }

  /** Executes a call that the device must refuse; returns the refusal. */
  public static HcaException refused(ThrowingCallable call) {
    HcaException refusal = Assertions.catchThrowableOfType(HcaException.class, call);
    Assertions.assertThat(refusal).as("a refusal").isNotNull();
    Heard.add(refusal.getMessage());
    return refusal;
  }

  @Override
  public void close() {
    Heard.addAll(explanations());
    events.close();
    nic.close();
    Assertions.assertThat(Defects.take()).as("defects of the device").isEmpty();
  }
}
