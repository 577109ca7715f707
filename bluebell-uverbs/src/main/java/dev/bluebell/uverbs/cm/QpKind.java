package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.uverbs.Verbs;

/** Kinds of queue pairs that ids have. Their numbers are those of {@link Verbs}. */
final class QpKind {
  private QpKind() {}

  /** True for a kind that connects. */
  static boolean connects(int type) {
    return type == Verbs.QPT_RC || type == Verbs.QPT_UC || type == Verbs.QPT_XRC_INI;
  }

  /** The kind at the other end. */
  static int opposite(int type) {
    return type == Verbs.QPT_XRC_INI ? Verbs.QPT_XRC_TGT : type;
  }
}
