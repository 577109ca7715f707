/** Memory regions, in memory of the client and of the device. */
@NullMarked
package dev.bluebell.uverbs.mr;

import org.jspecify.annotations.NullMarked;
