package dev.bluebell.uverbs;

/** The types of queue pairs that programs may create. Mirrors {@code ib_verbs.h: ib_qp_type}. */
enum QpType {
  /** Reliable connection. */
  RC(2, 0),
  /** Unreliable connection. */
  UC(3, 1),
  /** Unreliable datagram. */
  UD(4, 2);

  private final int number;
  private final int service;

  QpType(int number, int service) {
    this.number = number;
    this.service = service;
  }

  /** The type that a program names by its number. */
  static QpType of(int number) {
    for (QpType type : values()) {
      if (type.number == number) {
        return type;
      }
    }
    throw new Refusal(
        Errno.EOPNOTSUPP, "queue pairs of type %d are not supported yet".formatted(number));
  }

  /** st of the QP context, mlx5 qp.h: MLX5_QP_ST_*. */
  int service() {
    return service;
  }
}
