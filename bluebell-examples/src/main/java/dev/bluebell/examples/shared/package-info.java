/** What several examples use, with RDMA and with TCP. */
@NullMarked
package dev.bluebell.examples.shared;

import org.jspecify.annotations.NullMarked;
