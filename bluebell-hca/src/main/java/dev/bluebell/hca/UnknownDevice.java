package dev.bluebell.hca;

import java.util.List;
import java.util.stream.Collectors;

/** Says which names of devices exist, or which module is missing, for a name without a provider. */
final class UnknownDevice {
  private static final String SOFT = "soft";
  private static final String OPTIONS = " (options follow a colon, as in soft:loss=5%)";

  private UnknownDevice() {}

  static String sentence(String name, List<HcaProvider> providers) {
    List<String> names = providers.stream().flatMap(provider -> provider.names().stream()).toList();
    return "there is no device '%s'%s%s".formatted(name, choice(names), hint(name));
  }

  private static String choice(List<String> names) {
    return names.isEmpty()
        ? ""
        : names.stream()
            .map(name -> name.equals(SOFT) ? SOFT + OPTIONS : name)
            .collect(Collectors.joining(" or ", ": choose ", ""));
  }

  /** Names the module whose provider would accept a name, or names that one would accept. */
  private static String hint(String name) {
    if (name.equals(SOFT) || name.startsWith(SOFT + ":")) {
      return "; the software ConnectX needs bluebell-softnic at run time, which is missing";
    }
    if (name.startsWith("socket:")) {
      return "; a device process needs bluebell-server at run time, which is missing";
    }
    return name.matches("mlx5_\\d+|(roce|ib)[opsx]\\w+")
        ? "; a card needs bluebell-devx at run time, which is missing"
        : "; a device process is socket:PATH, and a card has a name such as mlx5_0";
  }
}
