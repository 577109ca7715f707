package dev.bluebell.softnic.fabric;

import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Scheduler;

/**
 * A fabric that holds packets until a time of the device's clock. Owned by the thread that runs the
 * engine.
 */
abstract class ClockedFabric extends HoldingFabric {
  final DeviceTime time;
  private final Scheduler scheduler;

  // True from the time at which a packet is due until no more are due. Meanwhile the fabric has
  // turns instead of a deadline.
  private boolean delivering;

  ClockedFabric(
      Fabric inside,
      DeviceTime time,
      Explanations explanations,
      Scheduler scheduler,
      int mostCopies) {
    super(inside, explanations, scheduler, mostCopies);
    this.time = time;
    this.scheduler = scheduler;
  }

  @Override
  final void noteHeld() {
    if (!delivering) {
      scheduler.schedule(this);
    }
  }

  @Override
  protected final long deadline() {
    return delivering ? Long.MAX_VALUE : nextDue();
  }

  @Override
  protected final void onTimer() {
    delivering = true;
    scheduler.activate(this);
  }

  @Override
  final long now() {
    return time.now();
  }

  @Override
  final long ownTime(long nanos) {
    return nanos;
  }

  @Override
  final int end(int done) {
    if (done == 0) {
      delivering = false;
      scheduler.schedule(this);
    }
    return done;
  }
}
