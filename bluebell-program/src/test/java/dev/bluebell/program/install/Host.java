package dev.bluebell.program.install;

import dev.bluebell.program.Buffer;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Program;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.List;
import java.util.Map;

/** A software device of its own for a {@link Trial}. */
final class Host implements AutoCloseable {
  private final Device device;
  private final ProtectionDomain domain;
  private final Trial trial;

  Host(Plan plan, SoftNicOptions options) {
    device = Device.over(VirtualTime.open(options));
    domain = device.allocateProtectionDomain();
    trial = new Trial(device, domain, plan);
  }

  /** As {@link Trial#call}. */
  List<byte[]> call(Map<Input<?>, byte[]> inputs) {
    return trial.call(inputs);
  }

  /** As {@link Trial#addresses}. */
  Map<Data, Long> addresses(Program program) {
    return trial.addresses(program);
  }

  /** As {@link Trial#read}. */
  byte[] read(Data data) {
    return trial.read(data);
  }

  /** As {@link Trial#read(Buffer)}. */
  byte[] read(Buffer buffer) {
    return trial.read(buffer);
  }

  @Override
  public void close() {
    trial.close();
    domain.close();
    device.close();
  }
}
