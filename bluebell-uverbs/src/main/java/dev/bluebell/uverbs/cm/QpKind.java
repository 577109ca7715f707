package dev.bluebell.uverbs.cm;

/** Kinds of queue pairs that ids have. Mirrors {@code ib_verbs.h: ib_qp_type}. */
final class QpKind {
  static final int RC = 2;
  static final int UC = 3;
  static final int UD = 4;
  static final int XRC_INI = 9;
  static final int XRC_TGT = 10;

  private QpKind() {}

  /** True for a kind that asks for connections. */
  static boolean connects(int type) {
    return type == RC || type == UC || type == XRC_INI;
  }

  /** The kind at the other end. */
  static int opposite(int type) {
    return type == XRC_INI ? XRC_TGT : type;
  }
}
