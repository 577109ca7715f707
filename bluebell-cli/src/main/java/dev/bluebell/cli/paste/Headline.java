package dev.bluebell.cli.paste;

import dev.bluebell.hca.text.Decoder.Kind;
import dev.bluebell.hca.wqe.ServiceType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Log lines that name the kind of the dump below them. */
public enum Headline {
  /** {@code cq.c: mlx5_handle_error_cqe} of rdma-core. */
  LIBMLX5("libmlx5's dump of a completion", Kind.CQE, "got completion with error:"),
  /** {@code cq.c: dump_cqe} of Linux, of several versions. */
  KERNEL("the kernel's dump of a completion", Kind.CQE, "dump_cqe:", "dump error cqe", "cqe_dump:"),
  /** {@code mlx5_rxtx.c} of DPDK, {@code en/txrx.h} of Linux. */
  NETWORK_DRIVER("a network driver's dump of a completion", Kind.CQE, "error cqe"),
  /** {@code wq.c: mlx5_wq_cyc_wqe_dump} of Linux, which only its network driver calls. */
  KERNEL_WQE("the kernel's dump of a WQE", Kind.WQE, "wqe dump:");

  private final String form;
  private final Kind kind;
  private final List<String> words;

  Headline(String form, Kind kind, String... words) {
    this.form = form;
    this.kind = kind;
    this.words = List.of(words);
  }

  /** The application that prints such lines. */
  String form() {
    return form;
  }

  /** The kind of the bytes below. */
  public Kind kind() {
    return kind;
  }

  /** The service of the queue pair that a WQE below belongs to. */
  public ServiceType service() {
    return this == KERNEL_WQE ? ServiceType.RAW : ServiceType.RC;
  }

  /** True if the bytes of a failed completion are below. */
  boolean isCompletion() {
    return kind == Kind.CQE;
  }

  /** True if bytes always follow: network drivers also print such lines alone. */
  boolean isAlwaysFollowed() {
    return this != NETWORK_DRIVER;
  }

  /** The headline in a line. */
  static Optional<Headline> in(String line) {
    String lower = line.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(headline -> headline.words.stream().anyMatch(lower::contains))
        .findFirst();
  }
}
