package dev.bluebell.cli.vectors;

/** Where results of files go. */
interface VectorReport {
  void add(FileResult result);

  void end();
}
