/** Virtual time: how long requests and packets take, and until when each host is busy. */
@NullMarked
package dev.bluebell.softnic.timing;

import org.jspecify.annotations.NullMarked;
