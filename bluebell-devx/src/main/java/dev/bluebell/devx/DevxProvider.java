package dev.bluebell.devx;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.hca.NativeAccess;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Provider of this machine's ConnectX cards, by their kernel names, such as {@code mlx5_0} or
 * {@code rocep1s0f0}. A card is opened only by its name: no card is the preferred device.
 */
public final class DevxProvider implements HcaProvider {
  /** Names that the kernel and udev give to these cards. */
  private static final Pattern USUAL = Pattern.compile("mlx5_\\d+|(roce|ib)[opsx]\\w+");

  private static final String X86_64 = "amd64";

  private final Sysfs sysfs;
  private final String architecture;

  /** Creates the provider for this machine. */
  public DevxProvider() {
    this(Sysfs.ofMachine(), System.getProperty("os.arch"));
  }

  DevxProvider(Sysfs sysfs, String architecture) {
    this.sysfs = sysfs;
    this.architecture = architecture;
  }

  @Override
  public List<String> names() {
    return architecture.equals(X86_64) ? sysfs.names() : List.of();
  }

  @Override
  public int priority() {
    return -1;
  }

  @Override
  public Optional<Hca> open(String name) {
    if (!USUAL.matcher(name).matches() && !sysfs.lists(name)) {
      return Optional.empty();
    }
    if (!architecture.equals(X86_64)) {
      throw new Refusals(name)
          .unavailable(
              "cards are not supported on %s: doorbells need barriers there that Java does not have (dmb oshst, dsb st); x86-64 works, and so does the software device 'soft'"
                  .formatted(architecture));
    }
    UverbsDevice device = sysfs.find(name);
    requireNativeAccess();
    return Optional.of(DevxHca.open(device));
  }

  private static void requireNativeAccess() {
    Runnable restricted =
        () -> {
          MemorySegment unused = MemorySegment.NULL.reinterpret(1);
        };
    NativeAccess.require(restricted, Hca.class.getModule(), DevxProvider.class.getModule());
  }
}
